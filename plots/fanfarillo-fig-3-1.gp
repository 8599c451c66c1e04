load 'style.gp'
set title 'Steps of the iterative algorithm, ' . fetch('SELECT max(rows) FROM spmv_split') \
    . sprintf(' rows (thesis: about %g steps)', thesis('fanfarillo-c-040', 1))
steps = "FROM spmv_split WHERE variant = 'iterative' AND step > 0 AND points = (SELECT max(points) FROM spmv_split) " \
    . "AND " . 'rows = (SELECT max(rows) FROM spmv_split WHERE step > 0)' # of the largest matrix, with the most samples
gpu = fetch('SELECT coalesce(line_slope(gpu_rows, gpu_s), 0), coalesce(line_intercept(gpu_rows, gpu_s), 0) ' . steps)
most = fetch('SELECT max(rows) FROM spmv_split') + 0
@linear_seconds_y
set format x most < 1e6 ? '%.0s%c' : '%.1s%c'
set xlabel 'rows of a device'
set ylabel 'time of a product'
plot [0:most] [0:*] q('SELECT cpu_rows, level_s, gpu_rows - cpu_rows, 0 ' . steps) with vectors nohead linestyle 22 \
    linewidth 1 title 'common time of a step', \
     q("SELECT rows, time_s FROM spmv_samples_median WHERE variant = 'cpu' AND threads = (SELECT max(threads) " \
     . "FROM spmv_samples_median) ORDER BY rows") with linespoints linestyle 1 title 'CPU: samples', \
     word(gpu, 1) * x + word(gpu, 2) with lines linestyle 3 title 'GPU: line, with the bus', \
     q('SELECT cpu_rows, level_s ' . steps . ' ORDER BY step DESC LIMIT 1') with points linestyle 7 pointsize 1.2 \
     title 'rows of the CPU in the end'
