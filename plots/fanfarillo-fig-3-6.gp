load 'style.gp'
load 'spmv.gp'
experiment = 'spmv_exhaustive'
points = accurate(experiment)
set title 'Every share of the CPU beside the algorithms, ' . fetch('SELECT max(rows) FROM spmv_exhaustive_median') \
    . sprintf(' rows (thesis: %.0f)', stated('fanfarillo-c-055', 1))
@linear_seconds_y
set xlabel 'rows of the CPU / all rows'
set ylabel 'time of a product'
plot [-0.02:1.02] [0:*] series(experiment, '1.0 * cpu_rows / rows', "variant = 'exhaustive'") with yerrorlines \
    linestyle 27 title 'exhaustive', \
     for [v in 'linear iterative hybrid'] series(experiment, '1.0 * cpu_rows / rows', \
     sprintf("variant = '%s' AND points = %d", v, points)) \
         with yerrorbars linestyle algorithm_line(v) pointsize 1.5 title v
