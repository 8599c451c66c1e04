load 'style.gp'
load 'coarrays.gp'
set title 'Latency of put, small blocks, one node (thesis: Yellowstone)'
variants = 'datamotion libcaf-mpi opencoarrays element mpi'
low = 0.7; high = 740
@elements_x
@seconds_y
set logscale y
set ylabel 'time of a put'
plot for [v in variants] series('coarrays_put', 'elements', small_blocks . " AND variant = '" . v . "'") \
    with yerrorlines linestyle coarray_line(v) title coarray_title(v)
