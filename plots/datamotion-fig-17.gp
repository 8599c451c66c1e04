load 'style.gp'
load 'rdma.gp'
@gpu_sizes; @above_three_rows
@rates_y; set ylabel 'bandwidth'; aim = aim('datamotion-c-034')
set xtics ('64 B' 64, '4 KiB' 2**12, '256 KiB' 2**18, '16 MiB' 2**24)
set title 'from GPU to GPU, windows of up to ' . fetch('SELECT max(window) FROM rdma_pingpong_median')
plot for [v in paths_of('rdma_pingpong', between_gpus('bandwidth'))] pick('bytes, bytes / time_s, ' \
    . 'bytes / time_high_s, bytes / time_low_s', 'rdma_pingpong_median', between_gpus('bandwidth') . \
    " AND variant = '" . v . "'") \
         with yerrorlines linestyle path_line(v) title path_title(v), keyentry with lines linestyle 10 \
         title sprintf('aim: %g of it', aim)
set xtics ('64 KiB' 2**16, '1 MiB' 2**20, '16 MiB' 2**24, '256 MiB' 2**28)
shares(v) = judged(of('rdma_pingpong', 'rdma_ratios'), 'bytes', "a = 'limit' AND b = '" . v \
    . "' AND parameters LIKE 'mode=bandwidth pair=D D %' AND parameter(parameters, 'stress') = '0'")
unset logscale y; set format y '%g'; set title 'beside the limit'; set ylabel 'bandwidth / limit'
plot [2**15:] [0:1.2] for [v in paths_of('rdma_pingpong', between_gpus('bandwidth') . " AND variant <> " \
    . "'limit'")] shares(v) \
         with yerrorlines linestyle path_line(v) title '', 1 linestyle 8 title '', aim linestyle 10 title ''
