"""Parts that only segmented animals with legs in pairs have: tissue, muscles, the gait, walking on without a head."""
