load 'style.gp'
load 'hetero.gp'
set title 'Latency of all pairs of images at once, one host (thesis: Xeon Phi)'
variants = 'sendrecv mpi-get caf-get'
low = 4; high = fetch('SELECT 2 * max(bytes) FROM coarrays_contention_median')
@bytes_x
@seconds_y
set logscale y
set ylabel 'time of a block'
plot for [v in variants] contended('latency_s', v) \
    with yerrorlines linestyle contended_line(v) title v
