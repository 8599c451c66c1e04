-- One thread block per option on the GPU, which stands for the Xeon Phi.
WITH run AS (SELECT options, 1.0 * throughput_values AS mid, max(throughput_values) OVER () AS best FROM coarrays_options_median WHERE variant = 'mo-gpu'),
processors AS (SELECT max(value + 0) AS number FROM machine WHERE name = 'device0_multiprocessors')
SELECT 'fanfarillo-c-164' AS id, printf('%d options', min(options)) || coalesce(' on ' || number || ' multiprocessors', '') AS measured,
       'fewest options within 3 percent of the maximum: as many as threads' AS bound, 'waived' AS ok,
       'no Xeon Phi: a GPU has no number of threads to choose' AS reason
FROM run, processors WHERE mid >= 0.97 * best HAVING count(*) > 0;
