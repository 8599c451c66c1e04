load 'style.gp'
ways = 'memcpy recv isend messages progress window'
titles = 'memcpy MPI_Recv MPI_Irecv messages - window'
low = fetch('SELECT 0.6 * min(size_bytes) FROM prefetch_transport_median')
high = fetch('SELECT 1.6 * max(size_bytes) FROM prefetch_transport_median')
@bytes_x; @two_panels; @seconds_y; set logscale y
set title 'a block'; set ylabel 'time of a get'
plot for [i = 1:words(ways)] series('prefetch_transport', 'size_bytes', "compute_ratio = 0 AND variant = '" \
    . word(ways, i) . "'") \
    with yerrorlines linestyle i title i == 5 ? '' : word(titles, i), keyentry with linespoints linestyle 5 \
    title 'messages, with progress'
unset logscale y; set format y '%g'
set title 'what as much computing hides'; set ylabel 'overlap: 1 is all, 0 nothing' offset 1.5
plot [] [-0.5:1.05] for [i = 3:words(ways)] q(sprintf("SELECT size_bytes, median(overlap), interval_low(overlap), " \
    . "interval_high(overlap)" \
    . " FROM prefetch_transport WHERE status = 'pass' AND compute_ratio = 1 AND variant = '%s' GROUP BY 1 ORDER " \
    . "BY 1", word(ways, i))) \
    with yerrorlines linestyle i title ''
