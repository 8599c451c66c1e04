load 'style.gp'
set title 'Allocation and release of all blocks of a program'
titles = "'registered, not cached' 'pinned, Algorithm 5.4' 'pinned, cache' 'unpinned'"
groups = fetch('SELECT program FROM peshne_tab_6_9')
@points_x
@seconds_y
set logscale y
set ylabel 'total time of the trace'
columns = 'uncached cached - plain'
judged_times(i) = pick(sprintf('p.rowid, %s_s, %s_low_s, %s_high_s', word(columns, i), word(columns, i), word(columns, \
    i)), 'peshne_tab_6_9 AS p JOIN pinning_trace_times ON trace = program', 'true')
plot for [i in '1 2 4'] judged_times(i+0) using (bar($1, i, 4)):2:3:4 @measured_points linestyle i+0 pointsize 1.1 \
         title word(titles, i+0), \
     pick('p.rowid, ' . timed('%s'), 'peshne_tab_6_9 AS p JOIN pinning_cache_median ON trace = program', \
         "size_factor = 1 AND variant = 'cache'") using (bar($1, 3, 4)):2:3:4 @measured_points linestyle 3 \
         pointsize 1.1 title word(titles, 3), \
     for [i in '1 2 4'] q('SELECT rowid, ' . word('pinned_uncached_s pinned_cached_s - unpinned_s', \
     i+0) . ' FROM peshne_tab_6_9') \
         using (bar($1, i, 4)):2 @published_points title i == 1 ? 'thesis' : ''
