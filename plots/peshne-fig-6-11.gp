load 'style.gp'
@two_panels
groups = fetch('SELECT DISTINCT program FROM prefetch_servers_median ORDER BY 1')
most = fetch('SELECT max(servers) FROM prefetch_servers_median')
high = fetch('SELECT 1.05e3 * max(wait_s) FROM prefetch_servers_median')
@groups_x
# Bars are named by the number of servers, with the groups' names in the line below.
do for [g = 1:words(groups)] {
    set xtics add ("\n" . word(groups, g) g)
    do for [k = 1:int(most)] { set xtics add (sprintf('%d', k) bar(g, k, most)) }
}
waits(variant, column) = q('SELECT dense_rank() OVER (ORDER BY program), servers, 1e3 * ' . column \
    . " FROM prefetch_servers_median WHERE variant = '" . variant . "'")
do for [v in 'no-prefetch prefetch'] {
    set title v . ': wait (ms) by number of servers'
    plot [] [0:high] waits(v, 'wait_s') using (bar($1, $2, most)):3:(bar_width(most)) with boxes linestyle 1 \
             title v eq 'prefetch' ? '' : 'for blocks', waits(v, 'barrier_wait_s') using (bar($1, $2, \
             most)):3:(bar_width(most)) \
             with boxes linestyle 2 title v eq 'prefetch' ? '' : 'at barriers'
}
