load 'style.gp'
load 'tuner.gp'
experiment = 'tuner_search'
standard = 1
set title 'Standard 1 (median above 0.95 of the optimum)'
@sample_bars_picture
