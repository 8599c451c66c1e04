load 'style.gp'
load 'unified_memory.gp'
variants = 'naive pipeline framework um um-gpu-prefetch um-cpu-prefetch um-prefetch'
set title 'Convolution in 3D with host updates: time relative to framework (thesis: Tesla P100)'
groups = unified_groups('unified_memory_ladder', 'share_of_capacity', 'true', '%.2g')
@groups_x
set xlabel 'size of the data / device memory'
set ylabel 'time / time of framework'
plot [] [0:] for [i = 1:words(variants)] beside_framework('unified_memory_ladder', 'true', word(variants, i)) \
    using (bar($1, i, words(variants))):2:3:4:(bar_width(words(variants))) @measured_bars linestyle i \
    title word(variants, i)
