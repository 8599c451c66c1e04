load 'style.gp'
load 'hetero.gp'
set title 'Bandwidth of all pairs of images at once, one host (thesis: Xeon Phi)'
variants = 'sendrecv mpi-get caf-get'
low = 4; high = fetch('SELECT 2 * max(bytes) FROM coarrays_contention_median')
@bytes_x
@bandwidth_y
set logscale y
set ylabel 'bandwidth of all pairs'
plot for [v in variants] contended('bandwidth_gbs', v) \
    with yerrorlines linestyle contended_line(v) title v
