load 'style.gp'
set title 'Unbalance of tasks handed out by MPI and by coarrays, 4 images (dashed: skewed tasks)'
set logscale x 2
set xlabel 'threads per image'
set ylabel 'most tasks of an image / mean - 1 (%)'
set yrange [0:1.3*number('SELECT max(lambda) FROM coarrays_tasks_median')] # intervals may be far wider
plot for [c in 'equal skewed'] for [v in 'mpi caf'] metric('coarrays_tasks', 'threads', 'lambda', \
    "variant = '" . v . "' AND cost = '" . c . "'") \
    with yerrorlines linestyle (v eq 'caf' ? 1 : 5) + (c eq 'equal' ? 0 : 20) title v . ', ' . c
