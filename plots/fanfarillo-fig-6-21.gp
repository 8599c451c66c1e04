load 'style.gp'
load 'coarrays.gp'
set title 'Bandwidth of get, big blocks, two nodes (thesis: Edison)'
variants = 'datamotion libcaf-mpi opencoarrays mpi ucx'
low = 700; high = fetch('SELECT 1.5 * max(elements) FROM coarrays_get_nodes_median')
@elements_x
@rates_y
set ylabel 'bandwidth'
plot for [v in variants] transfers('coarrays_get_nodes', 'elements', big_blocks, v) \
    with yerrorlines linestyle coarray_line(v) title coarray_title(v)
