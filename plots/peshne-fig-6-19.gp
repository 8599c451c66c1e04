load 'style.gp'
set title 'Allocation and release of all blocks of a program'
variants = 'uncached thesis cache unpinned'
titles = "'pinned, not cached' 'pinned, Algorithm 5.4' 'pinned, cache' 'unpinned'"
groups = fetch('SELECT program FROM peshne_tab_6_9')
@points_x
@seconds_y
set logscale y
set ylabel 'total time of the trace'
plot for [i = 1:4] q("SELECT p.rowid, time_s, time_low_s, time_high_s FROM peshne_tab_6_9 p JOIN pinning_cache_median" \
         . " ON trace = program WHERE size_factor = 1 AND variant = '" . word(variants, i) . "'") \
         using (bar($1, i, 4)):2:3:4 @measured_points linestyle i pointsize 1.1 title word(titles, i), \
     for [i in '1 2 4'] q('SELECT rowid, ' . word('pinned_uncached_s pinned_cached_s - unpinned_s', \
     i+0) . ' FROM peshne_tab_6_9') \
         using (bar($1, i, 4)):2 @published_points title i == 1 ? 'thesis' : ''
