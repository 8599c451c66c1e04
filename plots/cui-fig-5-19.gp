load 'style.gp'
load 'tuner.gp'
experiment = 'partner_tuner_search'
standard = 2
set title 'Standard 2 (5th percentile above 0.95 of the optimum), ' . partner_fact('device0_name')
@second_node
@sample_bars_picture
