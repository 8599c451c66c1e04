load 'style.gp'
set title 'Bandwidth of all pairs of images at once, one host (thesis: Xeon Phi)'
variants = 'sendrecv mpi-get caf-get'
low = 4; high = fetch('SELECT 2 * max(bytes) FROM coarrays_contention_median')
@bytes_x
@bandwidth_y
set logscale y
set ylabel 'bandwidth of all pairs'
plot for [v in variants] contended('bandwidth_gbs', v) \
    with yerrorlines linestyle int(word('5 2 1', int(sum [i = 1:3] (word(variants, i) eq v ? i : 0)))) title v
