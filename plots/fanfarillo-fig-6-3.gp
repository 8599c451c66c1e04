load 'style.gp'
load 'coarrays.gp'
set title 'Latency of put, big blocks, one node (thesis: Yellowstone)'
variants = 'datamotion libcaf-mpi opencoarrays element mpi'
low = 700; high = fetch('SELECT 1.5 * max(elements) FROM coarrays_put_median')
@elements_x
@seconds_y
set logscale y
set ylabel 'time of a put'
plot for [v in variants] series('coarrays_put', 'elements', big_blocks . " AND variant = '" . v . "'") \
    with yerrorlines linestyle coarray_line(v) title coarray_title(v)
