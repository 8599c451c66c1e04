load 'style.gp'
load 'pipeline.gp'
set title 'Share of what the link and the kernels allow'
variants = 'naive framework auto'
groups = workload_groups('pipeline_bounds')
@groups_x
set ylabel 'bound / time'
aim = aim('datamotion-c-022')
plot [] [0:1.1] for [i = 1:3] judged(placed('pipeline_bounds'), 'nth_group', "variant = '" . word(variants, i) . "'") \
         using (bar($1, i, 3)):2:3:4:(bar_width(3)) @measured_bars linestyle (i > 1 ? i+1 : 1) \
         title word("naive 'framework, best' auto", i), \
     aim linestyle 8 title 'aim of framework'
