load 'style.gp'
load 'partition.gp'
set multiplot layout 2, 5 title '16 x 16 blocks cut along both dimensions' margins 0.08, 0.98, 0.12, \
    0.86 spacing 0.035, 0.14
columns = 5
panels = '16/16/2/even 16/16/3/even 16/16/7/even 16/16/9/even 16/16/12/even 16/16/2/thesis 16/16/3/thesis ' \
    . '16/16/7/thesis 16/16/9/thesis 16/16/12/thesis'
@grid_panels
