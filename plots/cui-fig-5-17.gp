load 'style.gp'
load 'tuner.gp'
experiment = 'tuner_search'
standard = 2
set title 'Standard 2 (5th percentile above 0.95 of the optimum)'
@sample_bars_picture
