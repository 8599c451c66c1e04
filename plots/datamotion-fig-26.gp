load 'style.gp'
set title 'Loops on one GPU and divided between two'
ratios = 'pipeline_gpu_speedups'
groups = fetch('SELECT DISTINCT benchmark FROM ' . ratios . ' ORDER BY benchmark')
counts = fetch('SELECT DISTINCT devices FROM ' . ratios . ' ORDER BY 1')
places = '(SELECT benchmark, dense_rank() OVER (ORDER BY benchmark) AS place, devices FROM ' . ratios . ')'
speedups(d) = pick('place, mid, coalesce(low, mid), coalesce(high, mid)', \
    ratios . ' JOIN ' . places . ' USING (benchmark, devices)', 'devices = ' . d)
@groups_x
set ylabel 'times as fast as one GPU'
aim = aim('datamotion-c-087/conv2d')
plot [] [0:*] for [i = 1:words(counts)] speedups(word(counts, i)) using (bar($1, i, words(counts))):2:3:4:(\
         bar_width(words(counts))) @measured_bars linestyle i \
         title word(counts, i) . (word(counts, i) eq '1' ? ' GPU' : ' GPUs'), \
     aim linestyle 8 title 'aim'
