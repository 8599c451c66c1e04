-- What claims and figures about coarrays of GPUs and CPUs together share.

-- SUMMA at its largest order with the best width of a panel.
CREATE VIEW coarrays_summa_best AS
SELECT experiment, variant, ranks AS images, min(median_s) AS mid, low_s AS low, high_s AS high
FROM (SELECT *, rank() OVER (PARTITION BY experiment
                             ORDER BY CAST(parameter(parameters, 'order') AS INTEGER) DESC) AS nth
      FROM configurations WHERE parameter(parameters, 'order') IS NOT NULL)
WHERE nth = 1 GROUP BY experiment, variant;

-- SUMMA: time of the fastest MPI version / time of the fastest coarray version.
CREATE VIEW coarrays_summa_speedups AS
WITH best AS (
    SELECT experiment, images, variant, substr(variant, 1, 3) AS kind, min(mid) AS mid, low, high
    FROM coarrays_summa_best GROUP BY experiment, kind)
SELECT experiment, c.images, c.variant, m.mid / c.mid AS value, m.low / c.high AS low, m.high / c.low AS high
FROM best AS m JOIN best AS c USING (experiment) WHERE m.kind = 'mpi' AND c.kind = 'caf';

-- Pricing on one device: random values per second, and the cores that there were for the threads.
CREATE VIEW coarrays_option_rates AS
SELECT variant, options, threads, busy_threads, 1.0 * throughput_values AS mid,
       throughput_values * time_s / time_high_s AS low, throughput_values * time_s / time_low_s AS high,
       coalesce((SELECT cores FROM experiments WHERE id = 'coarrays_options'), threads) AS cores
FROM coarrays_options_median;

-- The best of each version, with at most one thread per core.
CREATE VIEW coarrays_option_best AS
SELECT variant, max(mid) AS mid, low, high FROM coarrays_option_rates WHERE threads <= cores GROUP BY variant;

-- Versions whose last step to more options still brings a fifth or more: they were not swept to their maximum.
CREATE VIEW coarrays_option_unfinished AS
SELECT variant, options FROM (
    SELECT variant, options, max(mid) AS mid, lag(max(mid)) OVER sweep AS before,
           max(options) OVER (PARTITION BY variant) AS last
    FROM coarrays_option_rates WHERE threads <= cores GROUP BY variant, options
    WINDOW sweep AS (PARTITION BY variant ORDER BY options))
WHERE options = last AND (mid > 1.2 * before) IS NOT 0;

-- Options handed out: the time of each version with its best number of options per request, of MPI with any progress.
CREATE VIEW coarrays_pricing_best AS
SELECT experiment, variant, iif(variant = 'mpi-mt', '', parameter(parameters, 'progress')) AS progress,
       min(median_s) AS mid, low_s AS low, high_s AS high
FROM configurations GROUP BY 1, 2, 3;

-- The same on one host and on two, as random values per second and as a share of what the devices alone do together.
CREATE VIEW coarrays_pricing_hosts AS
SELECT nodes, variant, iif(variant = 'mpi-mt', '', progress) AS progress, 1.0 * max(throughput_values) AS mid,
       throughput_values * time_s / time_high_s AS low, throughput_values * time_s / time_low_s AS high,
       1.0 * throughput_values / maximum_values AS share, maximum_values AS most
FROM (SELECT * FROM coarrays_pricing_median UNION ALL SELECT * FROM coarrays_pricing_network_median)
GROUP BY 1, 2, 3;
