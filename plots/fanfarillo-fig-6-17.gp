load 'style.gp'
load 'coarrays.gp'
set title 'Strided get, one node (thesis: Edison)'
variants = 'datamotion libcaf-mpi opencoarrays mpi ucx'
@strides_x
@rates_y
set ylabel 'bandwidth'
plot for [v in variants] transfers('coarrays_strided', 'stride', "operation = 'get'", v) \
    with yerrorlines linestyle coarray_line(v) title coarray_title(v)
