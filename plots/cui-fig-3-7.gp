load 'style.gp'
@two_panels
variants = 'pipeline framework'
set format y '%.1s %cs'
set xlabel 'streams'
set ylabel 'time'
do for [b in 'conv3d stencil'] {
    set title b
    where = "benchmark = '" . b . "' AND variant = "
    naive = number('SELECT mid FROM pipeline_by_streams WHERE ' . where . "'naive'")
    plot [] [0:] for [i = 1:2] judged('pipeline_by_streams', 'streams', where . "'" . word(variants, i) . "'") \
             with yerrorlines linestyle i+1 title b eq 'conv3d' ? word(variants, i) : '', \
         naive linestyle 8 \
         title b eq 'conv3d' ? 'naive' : ''
    unset ylabel
}
