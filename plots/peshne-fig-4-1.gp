load 'style.gp'
set title 'Where each GET line stands in the list of index sets'
lines = '101 102'
position(line) = q("SELECT now.step, max(0, (SELECT max(position) + 1 FROM prefetch_index_list_median WHERE event = " \
    . "'prefetch' AND line = " . line . " AND step <= now.step) - front) FROM prefetch_index_list_median AS now " \
    . "ORDER BY 1")
set xlabel 'event: update, peek, prefetch'
set ylabel 'position in the list (0: front)'
set offsets graph 0, graph 0, graph 0.06, graph 0
plot [] [0:*] q('SELECT step, list_length FROM prefetch_index_list_median ORDER BY 1') \
         with steps linestyle 7 linewidth 0.8 title 'length of the list', \
     for [i = 1:2] position(word(lines, i)) with steps linestyle i linewidth 2.4 title 'GET in line ' . word(lines, i)
