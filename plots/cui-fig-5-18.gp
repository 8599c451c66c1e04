load 'style.gp'
load 'tuner.gp'
experiment = 'partner_tuner_search'
standard = 1
set title 'Standard 1 (median above 0.95 of the optimum), ' . partner_fact('device0_name')
@second_node
@sample_bars_picture
