load 'style.gp'
set title 'Programs that nvcc built, unchanged on several GPUs'
# The long runs of a program, where it has any, else the others.
shown = "(SELECT *, max(experiment) OVER (PARTITION BY app) = experiment AS last FROM partition_binary_speedups)"
groups = fetch('SELECT DISTINCT app FROM ' . shown . ' ORDER BY app')
counts = fetch('SELECT DISTINCT devices FROM ' . shown . ' ORDER BY 1')
if (words(counts) == 0) { missing = 'no data: nothing was partitioned'; load 'notice.gp'; exit }
# With one GPU gnuplot asks for the second all the same.
limit(i) = i > words(counts) ? NaN : real(word(counts, i))
places = '(SELECT app, row_number() OVER (ORDER BY app) AS place FROM (SELECT DISTINCT app FROM ' . shown . '))'
speedups(d) = pick('place, mid, coalesce(low, mid), coalesce(high, mid)', shown . ' JOIN ' . places . ' USING (app)', \
    'last AND devices = ' . d)
@groups_x
set ylabel 'times as fast as the original'
plot [] [0:*] for [i = 1:words(counts)] speedups(word(counts, i)) using (bar($1, i, words(counts))):2:3:4:(\
         bar_width(words(counts))) @measured_bars linestyle i \
         title word(counts, i) . (word(counts, i) eq '1' ? ' GPU' : ' GPUs'), \
     for [i = 2:words(counts)] limit(i) linestyle 8 title i == 2 ? 'limit' : ''
