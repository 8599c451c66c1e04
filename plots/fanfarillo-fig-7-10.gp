load 'style.gp'
load 'hetero.gp'
set title 'One thread block per option (mo-gpu) on the GPU (thesis: Xeon Phi)'
set logscale x 2
@values_y
set xlabel 'queued options'
plot for [v in 'mo-gpu mt-gpu'] option_rates("variant = '" . v . "'") with yerrorlines linestyle (v eq 'mo-gpu' ? 1 \
    : 2) title v
