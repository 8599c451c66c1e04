# blp.gp: what the figures of block-level pipelining share. See README.md.
load 'pipeline.gp'

# Columns x, speedup over sync, low and high of a variant in rows such as blp_gemm_median or fastest('blp_datasets').
over_sync(rows, x, v) = beside(rows, x, speedup, v, 'sync', 'b.time_s > 0')
blp_speedup(e) = number(sprintf("SELECT max(n.time_s / b.time_s) FROM %s_median AS n JOIN %s_median AS b USING " \
    . "(size) WHERE n.variant = 'sync' AND b.variant = 'blp'", e, e))
# The cells of async by streams and chunks: its speedup over sync, coloured by the time of blp / its own. `kernel` is
# its name.
async_cells(e) = sprintf("SELECT a.streams AS x, a.chunks AS y, n.time_s / a.time_s AS number, max(-1, min(1, " \
    . "log(b.time_s / a.time_s) / log(2))) AS colour FROM %s_median AS a JOIN %s_median AS n USING (size) JOIN " \
    . "%s_median AS b USING (size) WHERE a.variant = 'async' AND n.variant = 'sync' AND b.variant = 'blp'", e, e, e)
async_heat_map = "cells = async_cells(experiment); colour_names = 'half equal twice'; set xlabel 'streams';set " \
    . "ylabel 'chunks'; set cblabel 'speed of async beside blp' offset 2;set title sprintf('%s: speedup of async " \
    . "over sync; of blp %.2f', kernel, blp_speedup(experiment));" . heat_map
best_async(link, blp, async) = sprintf('thesis, %s: blp %g, best async %g', link, thesis(blp, 1), thesis(async, 1))
