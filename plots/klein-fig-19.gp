load 'style.gp'
load 'partition.gp'
@two_panels
# Stacked bars over devices, at the least and the largest size of `app`, which klein-fig-24 and -31 set. What kernel_s
# and the others leave of the original's time of launches is its kernels.
if (!exists('app')) { app = 'matmul' }
parts = "app_dtoh_s 'coalesce(kernel_s, app_kernel_s)' 'coalesce(sync_comm_s, 0)' 'coalesce(dep_calc_s, 0)' app_htod_s"
titles = "'copies to host' kernels 'copies between devices' 'finding dependencies' 'copies to devices' other"
sum_of(k) = k > 5 ? 'time_s' : (k < 2 ? '' : sum_of(k - 1) . ' + ') . word(parts, k)
bars(size, htod, k) = pick('place, ' . sum_of(k), '(SELECT *, dense_rank() OVER (ORDER BY devices) AS place FROM ' \
    . 'partition_spans_median WHERE app = ' . "'" . app . "' AND (variant = 'original' OR devices > 1 AND variant = " \
    . "'partitioned') AND size = " . size . ')', "(htod = '" . htod . (htod eq 'broadcast' ? "' OR variant = " \
    . "'original')" : "')"))
groups = device_counts('partition_spans', app)
sizes = fetch("SELECT min(size), max(size) FROM partition_spans WHERE app = '" . app . "'")
@groups_x; @linear_seconds_y; set xlabel 'devices (left: broadcast, right: scatter)'
do for [p = 1:2] {
    set title app . ', size ' . word(sizes, p)
    plot for [h = 1:2] for [j = 1:6] bars(word(sizes, p), word('broadcast scatter', h), 7 - j) using (bar($1, h, \
        2)):2:(0.95*bar_width(2)) \
         with boxes linestyle int(word('7 5 4 3 1 2', j)) title h + p == 2 ? word(titles, 7 - j) : ''
}
