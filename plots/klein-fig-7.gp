name = '16 x 16 blocks cut along both dimensions'; columns = 5
panels = '16/16/2/even 16/16/3/even 16/16/7/even 16/16/9/even 16/16/12/even 16/16/2/thesis 16/16/3/thesis ' \
    . '16/16/7/thesis 16/16/9/thesis 16/16/12/thesis'
load 'klein-fig-6.gp'
