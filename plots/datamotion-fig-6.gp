load 'style.gp'
variants = 'host gpu gpu-transfers auto'
titles = "host GPU 'GPU, with transfers' 'chosen by the run time'"
low = fetch("SELECT min(time_low_s) FROM prefetch_device_median WHERE operation <> 'scale'")
high = fetch("SELECT max(time_high_s) FROM prefetch_device_median WHERE operation <> 'scale'")
@two_panels; @seconds_y
set logscale xy; set format x '%.0s%c'; set xlabel 'largest block (elements of 8 bytes)'
set yrange [decade_below(low):decade_above(high)]
do for [o in 'contract matmul'] {
    set title o eq 'contract' ? 'contraction of a[i,j,k,l] with b[j,k]' : 'product of a[i,j] and b[j,k]'
    set ylabel o eq 'contract' ? 'time of the operation' : ''
    plot for [i = 1:words(variants)] series('prefetch_device', 'block_elements', "operation = '" . o \
        . "' AND variant = '" \
         . word(variants, i) . "'") with yerrorlines linestyle i title o eq 'contract' ? word(titles, i) : ''
}
