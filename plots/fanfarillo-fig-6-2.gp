load 'style.gp'
load 'coarrays.gp'
set title 'Bandwidth of put, small blocks, one node (thesis: Yellowstone)'
variants = 'datamotion libcaf-mpi opencoarrays element mpi'
low = 0.7; high = 740
@elements_x
@rates_y
set ylabel 'bandwidth'
plot for [v in variants] transfers('coarrays_put', 'elements', small_blocks, v) \
    with yerrorlines linestyle coarray_line(v) title coarray_title(v)
