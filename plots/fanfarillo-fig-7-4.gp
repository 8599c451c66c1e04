load 'style.gp'
set title 'Tasks handed out by MPI and by coarrays, 4 images (dashed: skewed tasks)'
set logscale x 2; set yrange [0:*]
@linear_seconds_y
set xlabel 'threads per image'
set ylabel 'time of all tasks'
plot for [c in 'equal skewed'] for [v in 'mpi caf'] series('coarrays_tasks', 'threads', "variant = '" . v \
    . "' AND cost = '" . c . "'") \
    with yerrorlines linestyle (v eq 'caf' ? 1 : 5) + (c eq 'equal' ? 0 : 20) title v . ', ' . c
