load 'style.gp'
load 'partition.gp'
set title sprintf('N-body: overhead of the run time (thesis, 16 GPUs: %g %% falling to %g %%)', \
    thesis('klein-c-048', 1), thesis('klein-c-049', 1))
set xlabel 'particles'
set ylabel 'overhead / total time'
set format y '%g %%'
set yrange [0:*]
counts = device_counts('partition_spans', 'nbody')
overhead(d) = metric('partition_spans', 'size', '100 * (dep_calc_s + sync_comm_s) / time_s', on_devices('nbody', d) \
    . " AND htod = 'scatter'")
plot for [i = 2:words(counts)] overhead(word(counts, i)) with yerrorlines linestyle i \
    title devices_title(word(counts, i))
