load 'style.gp'
load 'tuner.gp'
# cui-fig-5-17 to -19 set these. Bars end at `most`; above such a bar stands its number, or `none` if no share meets the
# standard.
if (!exists('view')) { view = 'tuner_ratios'; experiment = 'tuner_search' } else { experiment = 'partner_tuner_search' }
if (!exists('standard')) { standard = 1 }
other = experiment eq 'tuner_search' ? '' : ', ' . partner_fact('device0_name')
set title (standard < 2 ? 'Standard 1 (median' : 'Standard 2 (5th percentile') . ' above 0.95 of the optimum)' . other
if (other ne '') { @second_node }
most = 2.0
bars(m) = pick(sprintf("place, min(ratio, %g), iif(ratio > 1e9, 'none', iif(ratio > %g, printf('%%.1f', ratio), ''))", \
    most, most), view, sprintf("standard = %d AND variant = '%s'", standard, m))
groups = search_groups(experiment)
@groups_x
set ylabel 'samples / samples of random'
saved = sprintf('%g %g', thesis('cui-c-276', 1), thesis('cui-c-276', 2))
plot [] [0:most*1.15] for [i = 1:5] bars(word(tuner_models, i)) using (bar($1, i, 5)):2:(bar_width(5)) with boxes \
    linestyle i title word(tuner_models, i), \
     for [i = 1:5] bars(word(tuner_models, i)) using (bar($1, i, 5)):2:3 @upright_labels, 1 linestyle 8 \
     title 'random', \
     for [s in saved] 1 - s linestyle 11 pointtype 0 title s eq word(saved, 1) ? sprintf('thesis: %g to %g', \
     1 - word(saved, 2), 1 - s) : ''
