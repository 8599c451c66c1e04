load 'style.gp'
load 'partition.gp'
set title sprintf('N-body: overhead of the run time (thesis, %g GPUs: %g %% falling to %g %%)', \
    stated('klein-c-048', 1), thesis('klein-c-048', 1), thesis('klein-c-049', 1))
set xlabel 'particles'
set ylabel 'overhead / total time'
set format y '%g %%'
set yrange [0:*]
counts = device_counts('partition_spans', 'nbody')
overhead(d, htod) = judged("(SELECT size, devices, htod, 100 * mid AS mid, 100 * low AS low, 100 * high AS high FROM " \
    . "partition_all_spans WHERE app = 'nbody' AND name = 'overhead / all')", 'size', 'devices = ' . d . \
    " AND htod = '" \
    . htod . "'")
plot for [i = 2:words(counts)] overhead(word(counts, i), 'broadcast') with yerrorlines linestyle i \
    title devices_title(word(counts, i)), \
     for [i = 2:words(counts)] overhead(word(counts, i), 'scatter') with yerrorlines linestyle 20+i \
     title i == 2 ? 'dashed: scatter' : ''
