experiment = 'partner_tuner_search'
standard = 2
load 'cui-fig-5-16.gp'
