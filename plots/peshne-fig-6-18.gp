load 'style.gp'
load 'rdma.gp'
@above_three_rows
experiment = 'rdma_total'
@block_range
set xrange [low:high]; set logscale xy; set format x '%.0s%c'; set xlabel 'block size (elements of 8 bytes)'
@seconds_y
set title 'GET, work on the GPU, PUT'; set ylabel 'time of the whole operation'
plot for [v in paths_of(experiment, 'true')] block_path(experiment, v) with yerrorlines linestyle path_line(v) \
    title path_title(v), \
     keyentry with points linestyle 11 pointsize 1.4 title sprintf('thesis: about %g', thesis('peshne-c-085', 1))
unset logscale y; set format y '%g'
set title 'beside staged'; set ylabel 'time of staged / time'
times_faster(v) = judged(of(experiment, 'rdma_ratios'), 'elements', "a = 'staged' AND b = '" . v . "'")
plot [] [0:6<*] for [v in paths_of(experiment, 'true')] times_faster(v) with yerrorlines linestyle path_line(v) \
    title '', published_point(stated('peshne-c-085', 2), thesis('peshne-c-085', 1)) with points linestyle 11 \
    pointsize 1.4 title ''
