load 'style.gp'
load 'coarrays.gp'
set title 'Strided put, one node (thesis: Yellowstone)'
variants = 'datamotion libcaf-mpi opencoarrays element mpi'
@strides_x
@rates_y
set ylabel 'bandwidth'
plot for [v in variants] transfers('coarrays_strided', 'stride', "operation = 'put'", v) \
    with yerrorlines linestyle coarray_line(v) title coarray_title(v)
