view = 'partner_tuner_ratios'
standard = 2
load 'cui-fig-5-16.gp'
