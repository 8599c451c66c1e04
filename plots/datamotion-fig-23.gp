load 'style.gp'
load 'blp.gp'
set title 'Block-level pipelining beside the best streams: who copies'
variants = 'blp blp-engine-in blp-engine-out blp-engines blp-hybrid'
titles = "'blocks both ways' 'engine in, blocks out' 'blocks in, engine out' 'engines both ways' 'as chosen by rates'"
rows = of('blp_hybrid', 'blp_hybrid_ratio')
groups = workload_groups(rows)
@groups_x
set ylabel 'time / least time of async'
aim = aim('datamotion-c-066/conv2d')
plot [] [0:*] for [i = 1:5] judged(placed(rows), 'nth_group', "beside = 'async' AND variant = '" . word(variants, i) \
         . "'") using (bar($1, i, 5)):2:3:4:(bar_width(5)) @measured_bars linestyle i title word(titles, i), \
     aim linestyle 8 title 'aim of the choice'
