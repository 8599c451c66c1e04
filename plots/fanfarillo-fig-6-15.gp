load 'style.gp'
load 'coarrays.gp'
set title 'Bandwidth of each of two gets at once, one node (thesis: Edison)'
variants = 'datamotion libcaf-mpi opencoarrays mpi ucx'
low = 0.7; high = fetch('SELECT 1.5 * max(elements) FROM coarrays_get_multi_median')
@elements_x
@rates_y
set ylabel 'bandwidth'
plot for [v in variants] transfers('coarrays_get_multi', 'elements', all_blocks, v) \
    with yerrorlines linestyle coarray_line(v) title coarray_title(v)
