load 'style.gp'
@two_panels
kernels = 'conv2d conv3d gemm fdtd2d atax'
variants = 'async blp'
@seconds_y
set logscale xy
set xlabel 'chunks or tasks'
do for [value in 'time_s host_cpu_s'] {
    first = value eq 'time_s'
    set title first ? 'time' : 'CPU time of the host'
    times(k, v) = q(sprintf("SELECT chunks, %s FROM blp_host_median WHERE benchmark = '%s' AND variant = '%s' " \
        . "ORDER BY 1", value, word(kernels, k), word(variants, v)))
    plot for [v = 1:2] for [k = 1:5] times(k, v) with linespoints linestyle k + (v == 1 ? 20 : 0) title first \
        ? word(kernels, k) . ', ' . word(variants, v) : ''
    unset ylabel
}
