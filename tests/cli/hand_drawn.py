"""A sheet small enough to be seen at once."""

# price ─┐
# gpus ──┼─> gpu_hours ─> cost ─> gross <─ tax
# hours ─┘        │                └─> report
#   └─> double    └─> capped ─> capped_days
HAND_DRAWN = """
inputs:
  price: 2 USD/gpu/hour
  gpus: 8 gpu
  hours: 10 hour
  tax: {value: 20%, min: 0%, max: 90%}
calc:
  gpu_hours: = gpus * hours -> gpu*hour
  cost: = gpu_hours * price -> USD
  gross: = cost * (1 + tax) -> USD
  report: '= "it costs {gross, 0}"'
  double: = 2 * hours -> hour
  capped: = min(gpu_hours, 50 [gpu*hour]) -> gpu*hour
  capped_days: = capped / 1 [gpu] -> day
outputs: [cost, gross]
"""
