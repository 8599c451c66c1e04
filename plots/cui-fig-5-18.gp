# The picture of cui-fig-5-16, of another machine.
experiment = 'partner_tuner_search'
load 'cui-fig-5-16.gp'
