load 'style.gp'
load 'coarrays.gp'
set title 'Bandwidth of get, small blocks, one node (thesis: Hopper)'
variants = 'datamotion libcaf-mpi opencoarrays mpi ucx'
low = 0.7; high = 740
@elements_x
@rates_y
set ylabel 'bandwidth'
plot for [v in variants] transfers('coarrays_get', 'elements', small_blocks, v) \
    with yerrorlines linestyle coarray_line(v) title coarray_title(v)
