# blp.gp: what the figures of block-level pipelining share. See README.md.
load 'pipeline.gp'

# Bars of a version's speedup over sync; speedups of blp.
over_sync(experiment, v) = faster_bars(of(experiment, 'blp_gain'), "slower = 'sync' AND faster = '" . v . "'")
blp_speedup(e) = number('SELECT max(value) FROM ' . of(e, 'blp_gain') . " WHERE slower = 'sync' AND faster = 'blp'")
# The cells of async by streams and chunks: its speedup over sync, coloured by the time of blp / its own. `kernel` is
# its name.
async_cells(e) = 'SELECT streams AS x, chunks AS y, value AS number, max(-1, min(1, log(beside) / log(2))) AS colour ' \
    . 'FROM ' . of(e, 'blp_cell')
async_heat_map = "cells = async_cells(experiment); colour_names = 'half equal twice'; set xlabel 'streams';set " \
    . "ylabel 'chunks'; set cblabel 'speed of async beside blp' offset 2;set title sprintf('%s: speedup of async " \
    . "over sync; of blp %.2f', kernel, blp_speedup(experiment));" . heat_map
best_async(link, blp, async) = sprintf('thesis, %s: blp %g, best async %g', link, thesis(blp, 1), thesis(async, 1))
# Bandwidth of copies, in GB/s; the best one.
rates(e, x, where) = judged(of(e, 'blp_rate'), x, where)
best_rate(e, where) = number('SELECT max(mid) FROM ' . of(e, 'blp_rate') . ' WHERE ' . where)
