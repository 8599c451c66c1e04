load 'style.gp'
set title 'The list of index sets as a bounded buffer'
lines = '101 102'
columns(list) = q('SELECT ' . list . ' FROM prefetch_index_list_median ORDER BY step')
position(line) = q("SELECT now.step, max(front, (SELECT max(position) + 1 FROM prefetch_index_list_median WHERE " \
    . "event = 'prefetch' AND line = " . line . " AND step <= now.step)) FROM prefetch_index_list_median AS now " \
    . "ORDER BY 1")
set xlabel 'event: update, peek, prefetch'
set ylabel 'index sets since the start of the loop'
plot [] [0:*] columns('step, front, step, step + 1, front, front + list_length') \
         with boxxyerror fillstyle solid noborder linestyle 9 title 'in the list', \
     columns('step, front + list_length') with steps linestyle 3 title 'end, moved by peek', \
     columns('step, front') with steps linestyle 7 title 'front, moved by update', \
     for [i = 1:2] position(word(lines, i)) with steps linestyle i linewidth 2.4 title 'position of line ' \
     . word(lines, i)
