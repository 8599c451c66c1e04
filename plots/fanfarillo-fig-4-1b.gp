load 'style.gp'
set title 'Allocation, copies and release in the exchange of sg (thesis: not smooth)'
calls = 'all malloc memcpy free'
@linear_seconds_y
set xlabel 'edge of the cube (pde)'
set ylabel 'time of the calls of an exchange'
plot [] [0:*] for [i = 1:4] series('spmv_calls', 'edge', "variant = '" . word(calls, i) . "'") with yerrorlines \
    linestyle int(word('7 1 2 3', i)) title word(calls, i)
