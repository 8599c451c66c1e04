load 'style.gp'
set title 'Waiting at the end against communication, coarrays on one host'
set logscale x 2
set xlabel 'options per request of a CPU image'
set ylabel 'time, scaled to 0..1'
plot published_knee(3, 1) with lines linestyle 11 title 'thesis: at most 3', \
     task_sizes('idle_s') with linespoints linestyle 1 title 'idle', \
     task_sizes('communication_s') with linespoints linestyle 2 title 'communication'
