import type { SchemaTexts } from './schema-tables.js';

/** TPC-DS with the types DuckDB's generator gives it. */
export const TPCDS_SCHEMAS: SchemaTexts = {
  call_center: `
    cc_call_center_sk: int64?, cc_call_center_id: varchar?, cc_rec_start_date: date?, cc_rec_end_date: date?,
    cc_closed_date_sk: int64?, cc_open_date_sk: int64?, cc_name: varchar?, cc_class: varchar?, cc_employees: int64?,
    cc_sq_ft: int64?, cc_hours: varchar?, cc_manager: varchar?, cc_mkt_id: int64?, cc_mkt_class: varchar?,
    cc_mkt_desc: varchar?, cc_market_manager: varchar?, cc_division: int64?, cc_division_name: varchar?, cc_company:
    int64?, cc_company_name: varchar?, cc_street_number: varchar?, cc_street_name: varchar?, cc_street_type:
    varchar?, cc_suite_number: varchar?, cc_city: varchar?, cc_county: varchar?, cc_state: varchar?, cc_zip:
    varchar?, cc_country: varchar?, cc_gmt_offset: decimal(5,2)?, cc_tax_percentage: decimal(5,2)?`,
  catalog_page: `
    cp_catalog_page_sk: int64?, cp_catalog_page_id: varchar?, cp_start_date_sk: int64?, cp_end_date_sk: int64?,
    cp_department: varchar?, cp_catalog_number: int64?, cp_catalog_page_number: int64?, cp_description: varchar?,
    cp_type: varchar?`,
  catalog_returns: `
    cr_returned_date_sk: int64?, cr_returned_time_sk: int64?, cr_item_sk: int64?, cr_refunded_customer_sk: int64?,
    cr_refunded_cdemo_sk: int64?, cr_refunded_hdemo_sk: int64?, cr_refunded_addr_sk: int64?,
    cr_returning_customer_sk: int64?, cr_returning_cdemo_sk: int64?, cr_returning_hdemo_sk: int64?,
    cr_returning_addr_sk: int64?, cr_call_center_sk: int64?, cr_catalog_page_sk: int64?, cr_ship_mode_sk: int64?,
    cr_warehouse_sk: int64?, cr_reason_sk: int64?, cr_order_number: int64?, cr_return_quantity: int64?,
    cr_return_amount: decimal(7,2)?, cr_return_tax: decimal(7,2)?, cr_return_amt_inc_tax: decimal(7,2)?, cr_fee:
    decimal(7,2)?, cr_return_ship_cost: decimal(7,2)?, cr_refunded_cash: decimal(7,2)?, cr_reversed_charge:
    decimal(7,2)?, cr_store_credit: decimal(7,2)?, cr_net_loss: decimal(7,2)?`,
  catalog_sales: `
    cs_sold_date_sk: int64?, cs_sold_time_sk: int64?, cs_ship_date_sk: int64?, cs_bill_customer_sk: int64?,
    cs_bill_cdemo_sk: int64?, cs_bill_hdemo_sk: int64?, cs_bill_addr_sk: int64?, cs_ship_customer_sk: int64?,
    cs_ship_cdemo_sk: int64?, cs_ship_hdemo_sk: int64?, cs_ship_addr_sk: int64?, cs_call_center_sk: int64?,
    cs_catalog_page_sk: int64?, cs_ship_mode_sk: int64?, cs_warehouse_sk: int64?, cs_item_sk: int64?, cs_promo_sk:
    int64?, cs_order_number: int64?, cs_quantity: int64?, cs_wholesale_cost: decimal(7,2)?, cs_list_price:
    decimal(7,2)?, cs_sales_price: decimal(7,2)?, cs_ext_discount_amt: decimal(7,2)?, cs_ext_sales_price:
    decimal(7,2)?, cs_ext_wholesale_cost: decimal(7,2)?, cs_ext_list_price: decimal(7,2)?, cs_ext_tax:
    decimal(7,2)?, cs_coupon_amt: decimal(7,2)?, cs_ext_ship_cost: decimal(7,2)?, cs_net_paid: decimal(7,2)?,
    cs_net_paid_inc_tax: decimal(7,2)?, cs_net_paid_inc_ship: decimal(7,2)?, cs_net_paid_inc_ship_tax:
    decimal(7,2)?, cs_net_profit: decimal(7,2)?`,
  customer: `
    c_customer_sk: int64?, c_customer_id: varchar?, c_current_cdemo_sk: int64?, c_current_hdemo_sk: int64?,
    c_current_addr_sk: int64?, c_first_shipto_date_sk: int64?, c_first_sales_date_sk: int64?, c_salutation:
    varchar?, c_first_name: varchar?, c_last_name: varchar?, c_preferred_cust_flag: varchar?, c_birth_day: int64?,
    c_birth_month: int64?, c_birth_year: int64?, c_birth_country: varchar?, c_login: varchar?, c_email_address:
    varchar?, c_last_review_date_sk: int32?`,
  customer_address: `
    ca_address_sk: int64?, ca_address_id: varchar?, ca_street_number: varchar?, ca_street_name: varchar?,
    ca_street_type: varchar?, ca_suite_number: varchar?, ca_city: varchar?, ca_county: varchar?, ca_state: varchar?,
    ca_zip: varchar?, ca_country: varchar?, ca_gmt_offset: decimal(5,2)?, ca_location_type: varchar?`,
  customer_demographics: `
    cd_demo_sk: int64?, cd_gender: varchar?, cd_marital_status: varchar?, cd_education_status: varchar?,
    cd_purchase_estimate: int64?, cd_credit_rating: varchar?, cd_dep_count: int64?, cd_dep_employed_count: int64?,
    cd_dep_college_count: int32?`,
  date_dim: `
    d_date_sk: int64?, d_date_id: varchar?, d_date: date?, d_month_seq: int64?, d_week_seq: int64?, d_quarter_seq:
    int64?, d_year: int64?, d_dow: int64?, d_moy: int64?, d_dom: int64?, d_qoy: int64?, d_fy_year: int64?,
    d_fy_quarter_seq: int64?, d_fy_week_seq: int64?, d_day_name: varchar?, d_quarter_name: varchar?, d_holiday:
    varchar?, d_weekend: varchar?, d_following_holiday: varchar?, d_first_dom: int64?, d_last_dom: int64?,
    d_same_day_ly: int64?, d_same_day_lq: int64?, d_current_day: varchar?, d_current_week: varchar?,
    d_current_month: varchar?, d_current_quarter: varchar?, d_current_year: varchar?`,
  household_demographics: `
    hd_demo_sk: int64?, hd_income_band_sk: int64?, hd_buy_potential: varchar?, hd_dep_count: int64?,
    hd_vehicle_count: int32?`,
  income_band: `
    ib_income_band_sk: int64?, ib_lower_bound: int64?, ib_upper_bound: int32?`,
  inventory: `
    inv_date_sk: int64?, inv_item_sk: int64?, inv_warehouse_sk: int64?, inv_quantity_on_hand: int32?`,
  item: `
    i_item_sk: int64?, i_item_id: varchar?, i_rec_start_date: date?, i_rec_end_date: date?, i_item_desc: varchar?,
    i_current_price: decimal(7,2)?, i_wholesale_cost: decimal(7,2)?, i_brand_id: int64?, i_brand: varchar?,
    i_class_id: int64?, i_class: varchar?, i_category_id: int64?, i_category: varchar?, i_manufact_id: int64?,
    i_manufact: varchar?, i_size: varchar?, i_formulation: varchar?, i_color: varchar?, i_units: varchar?,
    i_container: varchar?, i_manager_id: int64?, i_product_name: varchar?`,
  promotion: `
    p_promo_sk: int64?, p_promo_id: varchar?, p_start_date_sk: int64?, p_end_date_sk: int64?, p_item_sk: int64?,
    p_cost: decimal(15,2)?, p_response_target: int64?, p_promo_name: varchar?, p_channel_dmail: varchar?,
    p_channel_email: varchar?, p_channel_catalog: varchar?, p_channel_tv: varchar?, p_channel_radio: varchar?,
    p_channel_press: varchar?, p_channel_event: varchar?, p_channel_demo: varchar?, p_channel_details: varchar?,
    p_purpose: varchar?, p_discount_active: varchar?`,
  reason: `
    r_reason_sk: int64?, r_reason_id: varchar?, r_reason_desc: varchar?`,
  ship_mode: `
    sm_ship_mode_sk: int64?, sm_ship_mode_id: varchar?, sm_type: varchar?, sm_code: varchar?, sm_carrier: varchar?,
    sm_contract: varchar?`,
  store: `
    s_store_sk: int64?, s_store_id: varchar?, s_rec_start_date: date?, s_rec_end_date: date?, s_closed_date_sk:
    int64?, s_store_name: varchar?, s_number_employees: int64?, s_floor_space: int64?, s_hours: varchar?, s_manager:
    varchar?, s_market_id: int64?, s_geography_class: varchar?, s_market_desc: varchar?, s_market_manager: varchar?,
    s_division_id: int64?, s_division_name: varchar?, s_company_id: int64?, s_company_name: varchar?,
    s_street_number: varchar?, s_street_name: varchar?, s_street_type: varchar?, s_suite_number: varchar?, s_city:
    varchar?, s_county: varchar?, s_state: varchar?, s_zip: varchar?, s_country: varchar?, s_gmt_offset:
    decimal(5,2)?, s_tax_percentage: decimal(5,2)?`,
  store_returns: `
    sr_returned_date_sk: int64?, sr_return_time_sk: int64?, sr_item_sk: int64?, sr_customer_sk: int64?, sr_cdemo_sk:
    int64?, sr_hdemo_sk: int64?, sr_addr_sk: int64?, sr_store_sk: int64?, sr_reason_sk: int64?, sr_ticket_number:
    int64?, sr_return_quantity: int64?, sr_return_amt: decimal(7,2)?, sr_return_tax: decimal(7,2)?,
    sr_return_amt_inc_tax: decimal(7,2)?, sr_fee: decimal(7,2)?, sr_return_ship_cost: decimal(7,2)?,
    sr_refunded_cash: decimal(7,2)?, sr_reversed_charge: decimal(7,2)?, sr_store_credit: decimal(7,2)?, sr_net_loss:
    decimal(7,2)?`,
  store_sales: `
    ss_sold_date_sk: int64?, ss_sold_time_sk: int64?, ss_item_sk: int64?, ss_customer_sk: int64?, ss_cdemo_sk:
    int64?, ss_hdemo_sk: int64?, ss_addr_sk: int64?, ss_store_sk: int64?, ss_promo_sk: int64?, ss_ticket_number:
    int64?, ss_quantity: int64?, ss_wholesale_cost: decimal(7,2)?, ss_list_price: decimal(7,2)?, ss_sales_price:
    decimal(7,2)?, ss_ext_discount_amt: decimal(7,2)?, ss_ext_sales_price: decimal(7,2)?, ss_ext_wholesale_cost:
    decimal(7,2)?, ss_ext_list_price: decimal(7,2)?, ss_ext_tax: decimal(7,2)?, ss_coupon_amt: decimal(7,2)?,
    ss_net_paid: decimal(7,2)?, ss_net_paid_inc_tax: decimal(7,2)?, ss_net_profit: decimal(7,2)?`,
  time_dim: `
    t_time_sk: int64?, t_time_id: varchar?, t_time: int64?, t_hour: int64?, t_minute: int64?, t_second: int64?,
    t_am_pm: varchar?, t_shift: varchar?, t_sub_shift: varchar?, t_meal_time: varchar?`,
  warehouse: `
    w_warehouse_sk: int64?, w_warehouse_id: varchar?, w_warehouse_name: varchar?, w_warehouse_sq_ft: int64?,
    w_street_number: varchar?, w_street_name: varchar?, w_street_type: varchar?, w_suite_number: varchar?, w_city:
    varchar?, w_county: varchar?, w_state: varchar?, w_zip: varchar?, w_country: varchar?, w_gmt_offset:
    decimal(5,2)?`,
  web_page: `
    wp_web_page_sk: int64?, wp_web_page_id: varchar?, wp_rec_start_date: date?, wp_rec_end_date: date?,
    wp_creation_date_sk: int64?, wp_access_date_sk: int64?, wp_autogen_flag: varchar?, wp_customer_sk: int64?,
    wp_url: varchar?, wp_type: varchar?, wp_char_count: int64?, wp_link_count: int64?, wp_image_count: int64?,
    wp_max_ad_count: int32?`,
  web_returns: `
    wr_returned_date_sk: int64?, wr_returned_time_sk: int64?, wr_item_sk: int64?, wr_refunded_customer_sk: int64?,
    wr_refunded_cdemo_sk: int64?, wr_refunded_hdemo_sk: int64?, wr_refunded_addr_sk: int64?,
    wr_returning_customer_sk: int64?, wr_returning_cdemo_sk: int64?, wr_returning_hdemo_sk: int64?,
    wr_returning_addr_sk: int64?, wr_web_page_sk: int64?, wr_reason_sk: int64?, wr_order_number: int64?,
    wr_return_quantity: int64?, wr_return_amt: decimal(7,2)?, wr_return_tax: decimal(7,2)?, wr_return_amt_inc_tax:
    decimal(7,2)?, wr_fee: decimal(7,2)?, wr_return_ship_cost: decimal(7,2)?, wr_refunded_cash: decimal(7,2)?,
    wr_reversed_charge: decimal(7,2)?, wr_account_credit: decimal(7,2)?, wr_net_loss: decimal(7,2)?`,
  web_sales: `
    ws_sold_date_sk: int64?, ws_sold_time_sk: int64?, ws_ship_date_sk: int64?, ws_item_sk: int64?,
    ws_bill_customer_sk: int64?, ws_bill_cdemo_sk: int64?, ws_bill_hdemo_sk: int64?, ws_bill_addr_sk: int64?,
    ws_ship_customer_sk: int64?, ws_ship_cdemo_sk: int64?, ws_ship_hdemo_sk: int64?, ws_ship_addr_sk: int64?,
    ws_web_page_sk: int64?, ws_web_site_sk: int64?, ws_ship_mode_sk: int64?, ws_warehouse_sk: int64?, ws_promo_sk:
    int64?, ws_order_number: int64?, ws_quantity: int64?, ws_wholesale_cost: decimal(7,2)?, ws_list_price:
    decimal(7,2)?, ws_sales_price: decimal(7,2)?, ws_ext_discount_amt: decimal(7,2)?, ws_ext_sales_price:
    decimal(7,2)?, ws_ext_wholesale_cost: decimal(7,2)?, ws_ext_list_price: decimal(7,2)?, ws_ext_tax:
    decimal(7,2)?, ws_coupon_amt: decimal(7,2)?, ws_ext_ship_cost: decimal(7,2)?, ws_net_paid: decimal(7,2)?,
    ws_net_paid_inc_tax: decimal(7,2)?, ws_net_paid_inc_ship: decimal(7,2)?, ws_net_paid_inc_ship_tax:
    decimal(7,2)?, ws_net_profit: decimal(7,2)?`,
  web_site: `
    web_site_sk: int64?, web_site_id: varchar?, web_rec_start_date: date?, web_rec_end_date: date?, web_name:
    varchar?, web_open_date_sk: int64?, web_close_date_sk: int64?, web_class: varchar?, web_manager: varchar?,
    web_mkt_id: int64?, web_mkt_class: varchar?, web_mkt_desc: varchar?, web_market_manager: varchar?,
    web_company_id: int64?, web_company_name: varchar?, web_street_number: varchar?, web_street_name: varchar?,
    web_street_type: varchar?, web_suite_number: varchar?, web_city: varchar?, web_county: varchar?, web_state:
    varchar?, web_zip: varchar?, web_country: varchar?, web_gmt_offset: decimal(5,2)?, web_tax_percentage:
    decimal(5,2)?`,
};

/** The columns of ClickBench's `hits` that its queries name. */
export const CLICKBENCH_SCHEMAS: SchemaTexts = {
  hits: `
    WatchID: int64, JavaEnable: int16, Title: varchar, GoodEvent: int16, EventTime: int64, EventDate: date,
    CounterID: int32, ClientIP: int32, RegionID: int32, UserID: int64, CounterClass: int16, OS: int16, UserAgent:
    int16, URL: varchar, Referer: varchar, IsRefresh: int16, ResolutionWidth: int16, ResolutionHeight: int16,
    TraficSourceID: int16, SearchEngineID: int16, SearchPhrase: varchar, AdvEngineID: int16, WindowClientWidth:
    int16, WindowClientHeight: int16, MobilePhone: int16, MobilePhoneModel: varchar, IsLink: int16, IsDownload:
    int16, DontCountHits: int16, RefererHash: int64, URLHash: int64`,
};
