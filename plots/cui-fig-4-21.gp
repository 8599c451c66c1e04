load 'style.gp'
load 'blp.gp'
set title 'ATAX with tasks from a queue, beside static groups of blocks'
nodes = nodes_of('blp_dynamic')
variants = 'blp blp-dynamic'
groups = ''
do for [n = 1:words(nodes)] { groups = groups . ' ' . fetch("SELECT DISTINCT '''' || dataset || '" . (n > 1 \
    ? "' || char(10) || 'second machine" : '') . "' || '''' FROM " . word(nodes, n) . "_median ORDER BY size") }
@groups_x
set ylabel 'time of sync / time'
before = fetch('SELECT count(DISTINCT size) FROM blp_dynamic_median') + 0
shares = sprintf('%g %g', thesis('cui-c-208', 1), thesis('cui-c-208', 2))
plot [] [0:] for [n = 1:words(nodes)] for [i = 1:2] over_sync(word(nodes, n), word(variants, i)) \
         using (bar($1 + (n-1)*before, i, 2)):2:3:4:(bar_width(2)) @measured_bars linestyle 3*i-2 title n == 1 \
         ? word(variants, i) : '', \
     for [s in shares] real(s) with lines linestyle 11 title s eq word(shares, 1) ? 'thesis: blp-dynamic from ' . s \
     . ' to ' \
     . word(shares, 2) : '', 1 linestyle 8 title 'sync'
